// npm start [-- PATH [options]]: builds adr-native where its sources have changed, then runs `adr-native report`.
//
// It needs Rust and Node only: no npm package is installed, for the addon takes no part in it.
import { buildRelease, exitCode } from './cargo.mjs';

const program = buildRelease(process.platform === 'win32' ? 'adr-native.exe' : 'adr-native', '--bin', 'adr-native');

// npm runs scripts in the package's directory; paths mean what they meant where the person stood.
const cwd = process.env.INIT_CWD ?? process.cwd();
process.exit(exitCode(program, ['report', ...process.argv.slice(2)], { cwd, stdio: 'inherit' }));
