#include "support/problems/fclib.h"

cairn_problem *test_fclib_read(const char *path, cairn_law law, const char **reason)
{
    cairn_problem *problem = NULL;
    cairn_status status = cairn_problem_load(NULL, path, &problem);
    *reason = cairn_status_text(status);
    if (problem)
        problem->law = law;
    return problem;
}
