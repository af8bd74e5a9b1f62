# Counts what a JUnit file written by CTest holds and prints "passed failed skipped".
#
# A cmocka program counts as its single tests, a script as one. A program that died, timed out or failed outside its
# tests counts as one failure more, so that nothing is lost when cmocka could not report. A test that CTest could not
# start is a failure; only exit status 77 means skipped.

# The number before " test(s)" in a summary line of cmocka.
function count(line)
{
    sub(/ test\(s\).*/, "", line)
    sub(/.* /, "", line)
    return line + 0
}

/<testcase / {
    cmocka = p = f = s = 0
    verdict = "failed"
    if ($0 ~ /status="run"/)
        verdict = "passed"
}
/<skipped message="SKIP_RETURN_CODE/ { verdict = "skipped" }
/\[  PASSED  \] [0-9]+ test\(s\)/ { cmocka = 1; p += count($0) }
/\[  FAILED  \] .*[0-9]+ test\(s\), listed below/ { cmocka = 1; f += count($0) }
/\[  SKIPPED \] .*[0-9]+ test\(s\), listed below/ { cmocka = 1; s += count($0) }
/<\/testcase>/ {
    if (cmocka) {
        passed += p
        failed += f + (verdict == "failed" && f == 0)
        skipped += s
    } else {
        passed += verdict == "passed"
        failed += verdict == "failed"
        skipped += verdict == "skipped"
    }
}
END { print passed + 0, failed + 0, skipped + 0 }
