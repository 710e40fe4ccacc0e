'use strict';

/** A failure, told by a stable code. See index.d.ts for the codes. */
class AdrkitError extends Error {
  constructor(code, message, options) {
    super(message, options);
    this.code = code;
  }
}
Object.defineProperty(AdrkitError.prototype, 'name', {
  value: 'AdrkitError',
  writable: true,
  configurable: true,
});

// Our codes are kebab case. Node's (ERR_X) and Node-API's (GenericFailure) are not, and may carry values of the caller.
const OURS = /^[a-z]+(?:-[a-z]+)*$/;

/** The AdrkitError of what the addon threw. */
function fromNative(error) {
  if (error instanceof Error && typeof error.code === 'string' && OURS.test(error.code)) {
    return new AdrkitError(error.code, error.message);
  }
  return new AdrkitError('internal', 'An internal error occurred.');
}

module.exports = { AdrkitError, fromNative };
