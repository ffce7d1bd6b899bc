/** Most rows of a table of statistics; a request for more is rejected. */
export const MAX_GROUPS = 10_000;
