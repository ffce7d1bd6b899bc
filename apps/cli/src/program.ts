/** The command name of this program, in help and messages. */
export const PROGRAM = 'stratalog';
