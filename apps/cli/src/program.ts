/** What people type to call this program; help and messages show it. */
export const PROGRAM = 'stratalog';
