import type { Address, Given, ParametersOf } from '@stratalog/client';
import { callText } from './catalog';

/** Saves the answer of a call as a file. A link could not send the token. **Errors**: those of `ApiClient`. */
export async function download<To extends Address>(
  to: To,
  parameters: ParametersOf<To>,
  file: string,
): Promise<void> {
  const given = [parameters] as unknown as Given<To>;
  saveText(await callText(to, ...given), file);
}

/** Saves a text as a file. */
export function saveText(text: string, file: string): void {
  const url = URL.createObjectURL(new Blob([text]));
  const link = document.createElement('a');
  link.href = url;
  link.download = file;
  link.click();
  URL.revokeObjectURL(url);
}
