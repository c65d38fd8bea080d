/* What sealed texts belong to: each can be opened for that alone. */

export const credentialLabel = (connection: string): string => `connection ${connection}`;
export const sessionLabel = (connection: string): string => `session ${connection}`;
export const hookLabel = (hook: string): string => `hook ${hook}`;
export const hookUpdateLabel = (hook: string): string => `update of hook ${hook}`;
export const memberLabel = (table: string, id: string, member: string): string => `${table} ${id} ${member}`;
