'use strict';

// node load.cjs PACKAGE: how long its load takes.
const begin = performance.now();
require(process.argv[2]);
console.log(JSON.stringify({ ms: performance.now() - begin }));
