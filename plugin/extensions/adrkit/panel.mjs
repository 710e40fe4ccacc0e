// One panel, and the directory that it shows. A panel that nobody looks at rests: it is not refreshed, and wakes when its
// page is fetched again. The host often says nothing when a page goes.
import { randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;
/** From the end of a panel's last stream until it rests; a page that reloads, or has lost its server, is back by then. */
export const REST_AFTER_MS = 60_000;
/** From the opening, or a fetch of the document, until a panel whose page never asked for updates rests. */
export const UNSEEN_MS = 120_000;

/** A directory that panels show. */
export class Subject {
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
