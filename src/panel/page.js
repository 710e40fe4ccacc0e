// The page's script. The server sends the parts of the page that have changed; they are worked into the document so
// that what the person has folded, focused, selected and scrolled to stays.
'use strict';

(() => {
  const RETRY_MS = 1000;
  const MAX_RETRY_MS = 10_000;
  /** What comes into sight has its true height only some frames after an update. */
  const SETTLING_FRAMES = 3;
  const LOST = 'The connection to adrkit is lost. What is shown may be out of date. Trying again.';
  const CLOSED = 'This panel was closed. Open it again to go on.';

  const byId = (id) => document.getElementById(id);
  const filter = byId('filter');

  /** Tells those who listen to the page. What is said twice in a row has to differ to be heard again. */
  function say(words) {
    const said = byId('said');
    if (said) said.textContent = said.textContent === words ? `${words}\u00a0` : words;
  }

  // ------------------------------------------------------------------------------------------- working in what changed

  /** The html of each part as it was last worked in. */
  const applied = new Map();
  /** Whether each foldable thing is open, so that one that goes and comes back is as it was. */
  const folds = new Map();

  function update(parts) {
    const changed = parts.filter(({ id, html }) => byId(id) && applied.get(id) !== html);
    if (changed.length === 0) return;
    const focused = focusKey();
    const anchor = findAnchor();
    for (const { id, html } of changed) {
      applied.set(id, html);
      const template = document.createElement('template');
      template.innerHTML = html;
      morphChildren(byId(id), template.content);
    }
    texts = new WeakMap();
    applyFilter();
    restoreFocus(focused);
    restoreAnchor(anchor, SETTLING_FRAMES);
  }

  /** Makes the children of `from` those of `to`, keeping the nodes that stand for the same thing. */
  function morphChildren(from, to) {
    const wanted = [...to.childNodes];
    const identities = new Set(wanted.map(identity).filter(Boolean));
    const known = new Map();
    for (const child of from.childNodes) {
      const id = identity(child);
      if (id && !known.has(id)) known.set(id, child);
    }
    const used = new Set();
    let next = from.firstChild;
    for (const node of wanted) {
      const id = identity(node);
      let match = id && known.get(id);
      if (!match || used.has(match) || !isAlike(match, node)) {
        match = next;
        while (match && !mayBecome(match, node, identities)) match = match.nextSibling;
      }
      if (!match) match = adopt(node);
      else if (match.nodeType === Node.ELEMENT_NODE) morph(match, node);
      else if (match.data !== node.data) match.data = node.data;
      used.add(match);
      if (match === next) next = next.nextSibling;
      else from.insertBefore(match, next);
    }
    while (next) {
      const last = next;
      next = next.nextSibling;
      last.remove();
    }
  }

  function morph(from, to) {
    if (from.isEqualNode(to)) return;
    for (const { name, value } of to.attributes) {
      if (from.getAttribute(name) !== value && !isPersons(from, name)) from.setAttribute(name, value);
    }
    for (const { name } of [...from.attributes]) {
      if (!to.hasAttribute(name) && !isPersons(from, name)) from.removeAttribute(name);
    }
    morphChildren(from, to);
  }

  /** Whether the person, or their filter, decides on an attribute. */
  function isPersons(element, name) {
    if (name === 'open') return element.localName === 'details';
    return name === 'hidden' && (element.hasAttribute('data-row') || element.hasAttribute('data-group'));
  }

  /** The key of an element, or that of the first thing in it. */
  function identity(node) {
    if (node.nodeType !== Node.ELEMENT_NODE) return undefined;
    return node.dataset.key ?? node.querySelector('[data-key]')?.dataset.key;
  }

  function isAlike(one, other) {
    return one.nodeName === other.nodeName && one.dataset?.key === other.dataset?.key;
  }

  /** Whether `node` stands for nothing of its own, so that it can become `wanted`. */
  function mayBecome(node, wanted, identities) {
    if (!isAlike(node, wanted) || node.dataset?.key !== undefined) return false;
    const id = identity(node);
    if (id === undefined || id === identity(wanted)) return true;
    return !identities.has(id) && node.dataset.row === undefined;
  }

  function adopt(node) {
    const own = document.importNode(node, true);
    if (own.nodeType !== Node.ELEMENT_NODE) return own;
    const all = [own, ...own.querySelectorAll('details[data-key]')];
    for (const it of all) if (folds.has(it.dataset.key) && it.localName === 'details') it.open = folds.get(it.dataset.key);
    return own;
  }

  // -------------------------------------------------------------------------------------------------- focus and scroll

  function focusKey() {
    const active = document.activeElement;
    const keyed = active?.closest?.('main [data-key]');
    return keyed ? { active, key: keyed.dataset.key, isSummary: active.localName === 'summary' } : undefined;
  }

  function restoreFocus(focused) {
    if (!focused || document.activeElement === focused.active) return;
    const keyed = find(focused.key);
    const target = focused.active.isConnected ? focused.active : focused.isSummary ? keyed?.querySelector('summary') : keyed;
    target?.focus({ preventScroll: true });
  }

  function find(key) {
    return document.querySelector(`[data-key="${CSS.escape(key)}"]`);
  }

  // Most browsers keep what is seen where it is by themselves, better than a script can.
  const anchorsItself = CSS.supports('overflow-anchor', 'auto');

  /** The anchor of an update whose heights are still settling: where it stands now is not where it belongs. */
  let settling;
  for (const moved of ['wheel', 'touchmove', 'keydown', 'pointerdown']) {
    document.addEventListener(moved, () => (settling = undefined), { capture: true, passive: true });
  }

  /** What the person is at, or else the first thing that they see, and where it stands. */
  function findAnchor() {
    if (anchorsItself || window.scrollY === 0) return undefined;
    if (settling?.element.isConnected) return { ...settling };
    const at = document.activeElement?.closest('main [data-row]');
    for (const element of [...(at ? [at] : []), ...document.querySelectorAll('main [data-row], main section')]) {
      const { top, height } = element.getBoundingClientRect();
      if (height > 0 && top >= 0 && top < window.innerHeight) return { element, top };
    }
    return undefined;
  }

  function restoreAnchor(anchor, frames) {
    settling = anchor?.element.isConnected ? anchor : undefined;
    if (settling === undefined) return;
    window.scrollBy({ top: anchor.element.getBoundingClientRect().top - anchor.top, behavior: 'instant' });
    requestAnimationFrame(() => {
      // A later update, or the person, has taken over.
      if (settling !== anchor) return;
      if (frames > 0) restoreAnchor(anchor, frames - 1);
      else settling = undefined;
    });
  }

  // ------------------------------------------------------------------------------------------------------------ folds

  /** What the filter has opened, and closes again. */
  const openedByFilter = new Set();

  document.addEventListener(
    'toggle',
    ({ target }) => {
      if (target.dataset?.key !== undefined && !openedByFilter.has(target)) folds.set(target.dataset.key, target.open);
    },
    true, // it does not bubble
  );

  // ----------------------------------------------------------------------------------------------------------- filter

  let texts = new WeakMap();
  let isFiltered = false;

  /** What an element says, but for its buttons, which say the same in every row. */
  function textOf(element) {
    if (!texts.has(element)) {
      const own = element.cloneNode(true);
      for (const button of own.querySelectorAll('button')) button.remove();
      texts.set(element, own.textContent.toLowerCase());
    }
    return texts.get(element);
  }

  /** Shows the rows that hold every word of the filter, and the groups that have such a row. */
  function applyFilter() {
    const words = (filter?.value ?? '').toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0 && !isFiltered) return;
    isFiltered = words.length > 0;
    const main = document.querySelector('main');
    const rows = [...main.querySelectorAll('[data-row]')];
    let shown = 0;
    for (const row of rows) {
      row.hidden = !words.every((word) => textOf(row).includes(word));
      if (!row.hidden) shown += 1;
    }
    for (const group of main.querySelectorAll('[data-group]')) {
      group.hidden = isFiltered && group.querySelector('[data-row]:not([hidden])') === null;
    }
    openMatches(main, words);
    const count = byId('matches');
    if (count) count.textContent = isFiltered ? `${shown} of ${rows.length} rows` : '';
  }

  /** Opens what hides a match, and closes it again once it does not. */
  function openMatches(main, words) {
    const holdsMatch = (details) =>
      details.querySelector('[data-row]:not([hidden])') !== null ||
      (details.closest('[data-row]:not([hidden])') !== null && words.every((word) => textOf(details).includes(word)));
    for (const details of openedByFilter) {
      if (isFiltered && details.isConnected && holdsMatch(details)) continue;
      details.open = false;
      openedByFilter.delete(details);
    }
    if (!isFiltered) return;
    for (const details of main.querySelectorAll('details:not([open])')) {
      if (!holdsMatch(details)) continue;
      openedByFilter.add(details);
      details.open = true;
    }
  }

  let frame;
  filter?.addEventListener('input', () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(applyFilter);
  });

  // --------------------------------------------------------------------------------------------- buttons and keyboard

  async function refresh() {
    try {
      const { ok } = await fetch('refresh', { method: 'POST' });
      if (!ok) throw new Error('refused');
    } catch {
      say('The review could not be refreshed.');
    }
  }

  byId('refresh')?.addEventListener('click', refresh);

  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      return copyBySelection(text);
    }
  }

  /** For a page in a frame that may not use the clipboard directly. */
  function copyBySelection(text) {
    const field = document.createElement('textarea');
    const active = document.activeElement;
    field.value = text;
    field.className = 'visually-hidden';
    document.body.append(field);
    field.select();
    const copied = document.execCommand('copy');
    field.remove();
    active?.focus({ preventScroll: true });
    return copied;
  }

  document.addEventListener('click', async ({ target }) => {
    const button = target.closest?.('[data-copy]');
    if (button) say((await copy(button.dataset.copy)) ? 'Copied.' : 'It could not be copied.');
  });

  const SHORTCUTS = {
    '/': () => filter?.focus(),
    r: () => {
      say('Refreshing.');
      refresh();
    },
  };

  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape' && filter && (filter.value !== '' || document.activeElement === filter)) {
      event.preventDefault();
      filter.value = '';
      filter.blur();
      applyFilter();
      return;
    }
    if (event.repeat || event.target.closest?.('input, textarea, select, [contenteditable]')) return;
    if (!Object.hasOwn(SHORTCUTS, event.key)) return;
    event.preventDefault();
    SHORTCUTS[event.key]();
  });

  // ------------------------------------------------------------------------------------------------------- connection

  let source;
  let retry;
  let delay = RETRY_MS;
  let isLost = false;

  function notice(words) {
    const connection = byId('connection');
    if (!connection) return;
    connection.textContent = words;
    connection.hidden = words === '';
  }

  function connect() {
    disconnect();
    source = new EventSource('events');
    source.addEventListener('open', () => {
      delay = RETRY_MS;
      if (!isLost) return;
      isLost = false;
      notice('');
      say('Connected again.');
    });
    source.addEventListener('update', ({ data }) => update(JSON.parse(data).parts));
    source.addEventListener('closed', () => {
      disconnect();
      document.removeEventListener('visibilitychange', follow);
      notice(CLOSED);
    });
    source.addEventListener('error', () => {
      if (!isLost) notice(LOST);
      isLost = true;
      // A browser tries again by itself after some failures and not after others.
      if (source.readyState !== EventSource.CLOSED) return;
      retry = setTimeout(connect, delay);
      delay = Math.min(delay * 2, MAX_RETRY_MS);
    });
  }

  function disconnect() {
    clearTimeout(retry);
    source?.close();
  }

  // A browser opens few connections to one server, so a page that nobody sees gives its own up.
  function follow() {
    if (document.visibilityState === 'hidden') disconnect();
    else connect();
  }

  document.addEventListener('visibilitychange', follow);
  follow();
})();
