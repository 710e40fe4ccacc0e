// Which panels there are, and what they show. Panels of one directory share one review. A panel that nobody looks at
// rests: it is not refreshed, and wakes when its page is fetched again. The host often says nothing when a page goes.
import { randomBytes } from 'node:crypto';
import { isAbsolute } from 'node:path';

import { NoDirectory } from './no-directory.mjs';
import { servePanels } from './panel-server.mjs';

const TOKEN_BYTES = 32;
/** From the end of a panel's last stream until it rests; a page that reloads, or has lost its server, is back by then. */
export const REST_AFTER_MS = 60_000;
/** From the opening, or a fetch of the document, until a panel whose page never asked for updates rests. */
export const UNSEEN_MS = 120_000;
/** Panels that are known at once. With one more, one that rests is forgotten for good, or else the oldest. */
export const MAX_PANELS = 64;

/** The panels of a process. */
export class Panels {
  #createReview;
  #panels = new Map(); // by key, in the order of their opening
  #byToken = new Map();
  #subjects = new Map(); // by directory
  #listeners = [];
  #server;

  /** @param {(directory: string) => object} createReview makes the review of an absolute path; may throw. */
  constructor(createReview) {
    this.#createReview = createReview;
  }

  /** Listens on loopback. Has to be settled before a panel is opened. `hold` keeps the process alive. */
  async listen({ hold = false } = {}) {
    this.#server = await servePanels((token) => this.#byToken.get(token));
    if (hold) this.#server.hold();
  }

  /**
   * Opens the panel `key` for a directory; the one that is open is kept where it shows that directory. Its review is
   * collected behind the answer.
   *
   * @param {string} key
   * @param {unknown} directory what is no absolute path gets a page that says so.
   * @returns {{ url: string, hasDirectory: boolean }}
   */
  open(key, directory) {
    let panel = this.#panels.get(key);
    if (panel === undefined || panel.directory !== directory) {
      this.close(key);
      this.#makeRoom();
      panel = new Panel(this.#subject(directory), () => this.#tellOf(panel));
      this.#panels.set(key, panel);
      this.#byToken.set(panel.token, panel);
    }
    if (panel.isAwake) void panel.refresh('open');
    panel.visit();
    return { url: `${this.#server.origin}/${panel.token}/`, hasDirectory: panel.directory !== undefined };
  }

  /** Forgets a panel, and tells its pages. */
  close(key) {
    const panel = this.#panels.get(key);
    if (panel === undefined) return;
    this.#panels.delete(key);
    this.#byToken.delete(panel.token);
    panel.close();
    const { subject } = panel;
    if (subject.panels.size === 0) {
      this.#subjects.delete(subject.directory);
      subject.review.dispose();
    }
  }

  /** The panel of a key. */
  get(key) {
    return this.#panels.get(key);
  }

  /** Refreshes what the panels of a directory show that are looked at; does nothing where there is none. */
  async refreshOpen(directory, { signal } = {}) {
    const subject = this.#subjects.get(directory);
    if (subject?.isWatched()) await subject.refresh({ trigger: 'edit', signal });
  }

  /** Tells `hooks` of every panel that is looked at, now and from now on. */
  follow(hooks) {
    this.#listeners.push(hooks);
    for (const panel of this.#panels.values()) if (panel.isAwake) tell(hooks, panel);
  }

  /** Forgets all panels and stops listening. */
  async dispose() {
    for (const key of [...this.#panels.keys()]) this.close(key);
    await this.#server?.close();
  }

  #subject(directory) {
    const known = this.#subjects.get(directory);
    if (known !== undefined) return known;
    const review = this.#review(directory);
    const subject = new Subject(review ?? new NoDirectory(), review && directory);
    if (review !== undefined) this.#subjects.set(directory, subject);
    return subject;
  }

  #review(directory) {
    if (typeof directory !== 'string' || !isAbsolute(directory)) return undefined;
    try {
      return this.#createReview(directory);
    } catch {
      return undefined;
    }
  }

  #makeRoom() {
    if (this.#panels.size < MAX_PANELS) return;
    const all = [...this.#panels];
    const [key] = all.find(([, { isAwake }]) => !isAwake) ?? all[0];
    this.close(key);
  }

  #tellOf(panel) {
    for (const hooks of this.#listeners) tell(hooks, panel);
  }
}

function tell(hooks, { isAwake, directory }) {
  if (directory === undefined) return;
  try {
    if (isAwake) hooks.panelOpened(directory);
    else hooks.panelClosed(directory);
  } catch {
    // Hooks that are gone refresh nothing; the page's button does.
  }
}

/** A directory that panels show. */
class Subject {
  panels = new Set();

  constructor(review, directory) {
    this.review = review;
    this.directory = directory;
  }

  isWatched() {
    return [...this.panels].some(({ isAwake }) => isAwake);
  }

  /** Collects again, and shows the pages that it has begun and how it ended. Never rejects. */
  async refresh(options) {
    try {
      const refreshed = this.review.refresh(options);
      this.#show();
      await refreshed;
    } catch {
      // What is shown is what there is.
    }
    this.#show();
  }

  #show() {
    try {
      const state = this.review.fragments();
      for (const panel of this.panels) panel.update(state);
    } catch {
      // A page that was not updated is updated with the next change.
    }
  }
}

/** One panel. It is awake from a visit on, and while a page of it is kept up to date. */
export class Panel {
  token = randomBytes(TOKEN_BYTES).toString('base64url');
  isAwake = false;
  #streams = new Set();
  #changed;
  #timer;

  constructor(subject, changed) {
    this.subject = subject;
    this.#changed = changed;
    subject.panels.add(this);
  }

  /** Undefined where there is none to review. */
  get directory() {
    return this.subject.directory;
  }

  /** How many pages are kept up to date. */
  get streams() {
    return this.#streams.size;
  }

  document(page) {
    return this.subject.review.document(page);
  }

  summary() {
    return this.subject.review.summary();
  }

  /** @param {'open' | 'manual'} trigger */
  refresh(trigger) {
    return this.subject.refresh({ trigger });
  }

  /** Somebody looks, or is about to. What has rested is collected again. */
  visit() {
    if (this.#streams.size === 0) this.#restAfter(UNSEEN_MS);
    if (this.isAwake) return;
    this.#wake(true);
    void this.refresh('open');
  }

  /** Keeps a page up to date until the function that is returned is called. */
  attach(stream) {
    this.visit();
    clearTimeout(this.#timer);
    this.#streams.add(stream);
    stream.update(this.subject.review.fragments());
    return () => {
      if (this.#streams.delete(stream) && this.#streams.size === 0) this.#restAfter(REST_AFTER_MS);
    };
  }

  update(state) {
    for (const stream of this.#streams) stream.update(state);
  }

  close() {
    clearTimeout(this.#timer);
    this.subject.panels.delete(this);
    for (const stream of this.#streams) stream.close();
    this.#streams.clear();
    this.#wake(false);
  }

  #restAfter(ms) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#wake(false), ms).unref();
  }

  #wake(isAwake) {
    if (isAwake === this.isAwake) return;
    this.isAwake = isAwake;
    this.#changed();
  }
}
