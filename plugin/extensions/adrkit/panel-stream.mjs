// The updates of one page, as server-sent events: each holds the parts that differ from what the page was sent before.

/** How soon a page tries again when its stream has broken off. */
const RETRY_MS = 1_000;

/** One page that is kept up to date. A page that reads slowly gets the latest state only, and never holds a queue. */
export class Stream {
  #response;
  #sent = new Map();
  #behind;
  #wasBlocked = false;

  /** @param {import('node:http').ServerResponse} response whose head has been written. */
  constructor(response) {
    this.#response = response;
    response.write(`retry: ${RETRY_MS}\n\n`);
    response.on('drain', () => {
      this.#wasBlocked = false;
      if (this.#behind !== undefined) this.update(this.#behind);
    });
  }

  /**
   * Brings the page up to date: now, or once it has read the last update.
   *
   * @param {{ version: number, parts: { id: string, html: string }[] }} state
   */
  update(state) {
    if (this.#response.writableNeedDrain) {
      this.#behind = state;
      return;
    }
    this.#behind = undefined;
    const parts = state.parts.filter(({ id, html }) => this.#sent.get(id) !== html);
    if (parts.length === 0) return;
    for (const { id, html } of parts) this.#sent.set(id, html);
    this.#write('update', { version: state.version, parts });
  }

  /** Tells the page that its panel is closed, and ends. */
  close() {
    this.#write('closed', {});
    this.#response.end();
  }

  /** A comment, by which a connection shows whether it still stands. One that read nothing since the last is ended. */
  giveSign() {
    const isBlocked = this.#response.writableNeedDrain;
    if (isBlocked && this.#wasBlocked) this.#response.destroy();
    else if (!isBlocked) this.#response.write(': \n\n');
    this.#wasBlocked = isBlocked;
  }

  #write(event, data) {
    this.#response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }
}
