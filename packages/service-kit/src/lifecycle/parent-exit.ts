// Loaded before the app itself. The launcher holds the other end of our standard input: when that closes, the launcher
// has ended, for any reason, and the app drains as after SIGTERM.
process.stdin.on('error', () => undefined);
process.stdin.once('close', () => process.kill(process.pid, 'SIGTERM'));
process.stdin.resume();
if ('unref' in process.stdin) process.stdin.unref();
