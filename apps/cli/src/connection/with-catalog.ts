import type { Terminal } from '../terminal';
import type { CatalogClient } from './catalog-client';
import { connect, type ConnectionOptions, type ConnectSizes } from './connect';

/**
 * Connects, runs `work`, and always closes the connections. **Errors**: those of {@link connect} and of the
 * work.
 */
export async function withCatalog<T>(
  options: ConnectionOptions,
  { terminal, ...sizes }: { readonly terminal: Terminal } & ConnectSizes,
  work: (client: CatalogClient) => Promise<T>,
): Promise<T> {
  const client = await connect(options, terminal, sizes);
  try {
    return await work(client);
  } finally {
    client.close();
  }
}
