// Loaded into an app before the app itself. The launcher holds the other end of our standard input: when
// that closes, the launcher is gone, however it went, and the app drains as if it had been asked to.
process.stdin.on('error', () => undefined);
process.stdin.once('close', () => process.kill(process.pid, 'SIGTERM'));
process.stdin.resume();
if ('unref' in process.stdin) process.stdin.unref();
