// A verb's client: the SDK, loaded when it is needed, for the server that the context points to.
import type { Client } from '../sdk/index.js';
import type { Context } from './context.js';
import { CliError } from './failure.js';

export async function openClient(context: Context): Promise<Client> {
  const { connect } = await import('../sdk/index.js');
  const { url, credential, local } = context.target();
  if (local && credential === undefined) {
    throw new CliError(
      'no_server',
      'no server was ever started on this machine',
      'Start one: openfloor up --background',
    );
  }
  return connect(credential === undefined ? { url } : { url, credential });
}
