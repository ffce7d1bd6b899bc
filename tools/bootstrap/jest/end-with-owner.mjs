// Imported before the program of a process that was started with a channel: the process ends as soon as its
// owner does, however the owner ends.
import process from 'node:process';

if (process.connected) {
  const { channel } = process;
  process.once('disconnect', () => process.exit(1));
  // The channel keeps the process alive only while the program waits for messages on it.
  channel.unref();
  process.on('newListener', (name) => {
    if (name === 'message') channel.ref();
  });
  process.on('removeListener', (name) => {
    if (name === 'message' && process.listenerCount('message') === 0) channel.unref();
  });
}
