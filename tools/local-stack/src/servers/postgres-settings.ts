export const SETTINGS = { max_connections: '200' } as const;
/** What is thrown away need not survive a power cut. Here only. */
export const NOT_DURABLE = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' } as const;
