// Which keys are for the page, and which for the control that has the focus.

export function isForPage(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return false;
  const target = event.target instanceof Element ? event.target : document.body;
  if (target.closest('select')) return false;
  if (target.matches('input[type=range]')) return !/^(Arrow|Home|End|Page)/.test(event.key);
  // Who came to a control by the keyboard presses it by the keyboard.
  return !(/^( |Enter)$/.test(event.key) && target.matches(':is(button, input, summary):focus-visible'));
}

/** Who presses a control by the pointer leaves the keys to the page: without this, the next space would press the control again. */
export function leaveKeysToPage(): void {
  document.addEventListener('click', ({ detail }) => {
    const focused = document.activeElement;
    if (detail > 0 && focused instanceof HTMLElement && focused.matches('button, summary, input[type=checkbox]')) focused.blur();
  });
}
