// The catalog that a bench measures, as a program: the bench's other processes start faster without its code.
import { serve, type ServeOptions } from './serve';

// A Ctrl-C in the terminal reaches every process of the group; the command to end comes from the parent.
process.on('SIGINT', () => undefined);
await serve(JSON.parse(process.argv[3] ?? '{}') as ServeOptions);
