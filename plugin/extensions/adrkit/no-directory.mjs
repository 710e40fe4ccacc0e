// What stands in for a review where the host named no directory that could be reviewed.

const WORDS = 'This session has no directory that adrkit can review. Open the panel again when it has one.';
const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Decision review</title>
<main>
<h1>Decision review</h1>
<p>${WORDS}</p>
</main>
</html>
`;

/** It has what panels use of a `Review`. What the host said is not repeated. */
export class NoDirectory {
  document() {
    return PAGE;
  }

  fragments() {
    return { version: 0, parts: [] };
  }

  summary() {
    return { error: { code: 'no-directory', message: WORDS } };
  }

  async refresh() {}

  dispose() {}
}
