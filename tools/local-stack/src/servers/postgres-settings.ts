export const SETTINGS = { max_connections: '200' } as const;
/** Throw-away data need not survive a power cut. Never use this elsewhere. */
export const NOT_DURABLE = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' } as const;
