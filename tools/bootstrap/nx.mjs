// Nx, with any of its arguments: `node tools/bootstrap/nx.mjs affected -t test`.
import './nx-settings.mjs';
import { installIfNeeded } from './install.mjs';

await installIfNeeded();
await import('nx/bin/nx.js');
