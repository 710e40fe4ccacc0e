// A registry on this machine, with the packages of a release and no other: what a person's installation will ask.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

/**
 * Serves the packages that `directory/index.json` lists. A platform's package that was not packed is listed too, with a
 * tarball that is not there: on another machine it is not to be asked for. Returns the registry's address, the tarballs
 * that were asked for, and how to end it.
 */
export async function serve(directory) {
  const packed = JSON.parse(readFileSync(join(directory, 'index.json'), 'utf8'));
  const downloads = [];
  let url;
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, url).pathname).slice(1);
    const tarball = path.match(/^tarballs\/([\w.-]+)$/)?.[1];
    if (tarball !== undefined) {
      downloads.push(tarball);
      if (packed.some(({ filename }) => filename === tarball)) response.end(readFileSync(join(directory, tarball)));
      else response.writeHead(404).end();
      return;
    }
    const document = documentOf(packed, path, url);
    if (document === undefined) response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${server.address().port}/`;
  return { url, downloads, close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()) };
}

function documentOf(packed, name, url) {
  const entry = packed.find(({ manifest }) => manifest.name === name) ?? absent(packed, name);
  if (entry === undefined) return undefined;
  const { manifest, filename, integrity, shasum } = entry;
  const dist = { tarball: `${url}tarballs/${filename}`, integrity, shasum };
  return { name, 'dist-tags': { latest: manifest.version }, versions: { [manifest.version]: { ...manifest, dist } } };
}

/** A package of a platform that was not packed, by its name alone. Its tarball's digests are of nothing. */
function absent(packed, name) {
  const main = packed.find(({ platform }) => platform === undefined);
  const version = main.manifest.optionalDependencies[name];
  if (version === undefined) return undefined;
  const [os, cpu, abi] = name.slice(main.manifest.name.length + 1).split('-');
  const libc = { gnu: ['glibc'], musl: ['musl'] }[abi];
  return {
    manifest: { name, version, os: [os], cpu: [cpu], ...(libc === undefined ? {} : { libc }) },
    filename: `${os}-${cpu}-absent.tgz`,
    integrity: 'sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==',
    shasum: 'da39a3ee5e6b4b0d3255bfef95601890afd80709',
  };
}
