'use strict';

/** What JSON would leave out or turn into null: it would pass for an argument that was not given. */
function kept(_key, value) {
  switch (typeof value) {
    case 'bigint':
    case 'function':
    case 'symbol':
      return false;
    case 'number':
      return Number.isFinite(value) && value;
    default:
      return value;
  }
}

/**
 * Arguments as JSON, whatever they are. No tool takes a boolean, so a value that JSON has no word for becomes false,
 * which is refused as a value of the wrong type is. Where there is no JSON at all the text is empty, which is refused
 * too. Absent arguments are null.
 */
function toJson(args) {
  if (args === undefined) return 'null';
  try {
    return JSON.stringify(args, kept) ?? '';
  } catch {
    // A cycle, a depth that the stack does not hold, or code of the value's own.
    return '';
  }
}

module.exports = { toJson };
