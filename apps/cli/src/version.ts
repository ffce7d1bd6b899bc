/** As in package.json, which a spec compares. */
export const VERSION = '0.1.0';
