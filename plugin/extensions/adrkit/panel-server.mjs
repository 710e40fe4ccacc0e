// The panels over HTTP, on loopback. A path begins with the token of a panel, which is all that opens it; what has no
// such token, or speaks to another host name, is not found. The page takes everything from its own document.
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';

import { Stream } from './panel-stream.mjs';

const ADDRESS = '127.0.0.1';
/** Connections at once, of all panels together. One more is dropped. */
export const MAX_CONNECTIONS = 128;
/** The pages of one panel that are kept up to date at once. One more is turned away, and tries again. */
export const MAX_STREAMS = 8;
const MAX_HEADER_BYTES = 8 * 1024;
/** How long a request may take to arrive, and a connection may lie idle. Streams have no such limit. */
const ARRIVAL_MS = 5_000;
/** Between two signs of life on a stream. */
const KEEP_ALIVE_MS = 15_000;
const NONCE_BYTES = 16;

// Nobody keeps or passes on what is shown. `frame-ancestors` is left out: a host may show the page in a frame, and its
// origin is the host's own affair; a page that does not know the token has nothing to frame.
const EVERYWHERE = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

function contentSecurityPolicy(nonce) {
  return [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    "img-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/**
 * Serves the panels that `find` knows by their tokens.
 *
 * @param {(token: string) => import('./panel.mjs').Panel | undefined} find
 * @returns {Promise<{ origin: string, hold: () => void, close: () => Promise<void> }>} settled once the server listens.
 *   It keeps the process alive only after `hold()`.
 */
export async function servePanels(find) {
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: ARRIVAL_MS,
    requestTimeout: ARRIVAL_MS,
    keepAliveTimeout: ARRIVAL_MS,
    connectionsCheckingInterval: ARRIVAL_MS,
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.on('connection', (socket) => socket.unref());
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, ADDRESS, resolve);
  });
  server.unref();
  server.removeAllListeners('error');
  server.on('error', () => {}); // such as no file descriptor for one more connection

  const host = `${ADDRESS}:${server.address().port}`;
  const streams = new Set();
  server.on('request', (request, response) => {
    try {
      answer(request, response, { find, host, streams });
    } catch {
      if (response.headersSent) response.destroy();
      else end(response, 500);
    }
  });
  const signs = setInterval(() => streams.forEach((stream) => stream.giveSign()), KEEP_ALIVE_MS).unref();
  return {
    origin: `http://${host}`,
    hold: () => server.ref(),
    close: () => {
      clearInterval(signs);
      return new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
    },
  };
}

function answer(request, response, { find, host, streams }) {
  const [, token, name] = /^\/([\w-]+)\/(\w*)(?:\?|$)/.exec(request.url) ?? [];
  // By a look-up in a map: how long it takes says nothing about the tokens that there are.
  const panel = request.headers.host === host && token !== undefined ? find(token) : undefined;
  const resource = panel && Object.hasOwn(RESOURCES, name) ? RESOURCES[name] : undefined;
  if (resource === undefined) return end(response, 404);
  if (request.method !== resource.method) return end(response, 405, { Allow: resource.method });
  if (hasBody(request)) return end(response, 413, { Connection: 'close' });
  return resource.serve(response, panel, streams);
}

const RESOURCES = {
  '': { method: 'GET', serve: serveDocument },
  events: { method: 'GET', serve: serveEvents },
  refresh: { method: 'POST', serve: serveRefresh },
};

function serveDocument(response, panel) {
  const nonce = randomBytes(NONCE_BYTES).toString('base64');
  panel.visit();
  const html = panel.document({ nonce, base: `/${panel.token}/` });
  end(response, 200, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': contentSecurityPolicy(nonce) }, html);
}

function serveEvents(response, panel, streams) {
  if (panel.streams >= MAX_STREAMS) return end(response, 503);
  response.writeHead(200, { ...EVERYWHERE, 'Content-Type': 'text/event-stream' });
  const stream = new Stream(response);
  streams.add(stream);
  const detach = panel.attach(stream);
  response.once('close', () => {
    streams.delete(stream);
    detach();
  });
}

function serveRefresh(response, panel) {
  void panel.refresh('manual');
  end(response, 202);
}

/** No request of the page has a body, so none is read. */
function hasBody({ headers }) {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;
}

function end(response, status, headers = {}, body = '') {
  response.writeHead(status, { ...EVERYWHERE, 'Content-Length': Buffer.byteLength(body), ...headers });
  response.end(body);
}
