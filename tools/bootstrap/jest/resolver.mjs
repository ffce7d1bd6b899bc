// For jest: lets our modules import the bundled packages, as the servers do. Jest reads every module again for each suite: with them,
// it need not find and read up to 2,500 files of `node_modules`.
import { sep } from 'node:path';
import { findBundledPackage, vendorFolder } from '../build/vendor.mjs';

const FOLDER = vendorFolder();
const PACKAGES = `${sep}node_modules${sep}`;

/** Returns the file that a module in the folder `basedir` imports. Packages among themselves, and `require`, stay as they are. */
export default function resolve(specifier, { basedir, conditions = [], defaultResolver, ...others }) {
  const mayBeBundled = conditions.includes('import') && !basedir.includes(PACKAGES);
  const bundled = mayBeBundled ? findBundledPackage(specifier, FOLDER) : undefined;
  return bundled ?? defaultResolver(specifier, { basedir, conditions, ...others });
}
