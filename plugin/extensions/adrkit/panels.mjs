// Which panels there are. Panels of one directory share one review.
import { isAbsolute } from 'node:path';

import { NoDirectory } from './no-directory.mjs';
import { Panel, Subject } from './panel.mjs';
import { servePanels } from './panel-server.mjs';

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
