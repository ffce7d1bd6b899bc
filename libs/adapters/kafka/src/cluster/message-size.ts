/** Maximum size of a message: a proposal of 15 MB, and a change with its value, fit easily. */
export const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;
/** Room for the headers, the key and the frame of a record. */
export const FRAME_BYTES = 16 * 1024;
/** Maximum size of a record's value. **Units**: bytes. */
export const MAX_VALUE_BYTES = MAX_MESSAGE_BYTES - FRAME_BYTES;
