import { ApiClient, type Address, type Given, type ParametersOf } from '@stratalog/client';
import { token } from './catalog';
import { API } from './place';

/** Saves the answer of a call as a file. A link could not send the token. **Errors**: those of `ApiClient`. */
export async function download<To extends Address>(
  to: To,
  parameters: ParametersOf<To>,
  file: string,
): Promise<void> {
  const secret = token.get();
  const client = new ApiClient({ server: API, ...(secret === undefined ? {} : { token: secret }) });
  const given = [parameters] as unknown as Given<To>;
  const url = URL.createObjectURL(new Blob([await client.text(to, ...given)]));
  const link = document.createElement('a');
  link.href = url;
  link.download = file;
  link.click();
  URL.revokeObjectURL(url);
}
