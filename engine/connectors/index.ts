// The connectors of the engine, `import { … } from 'agentgauge/engine/connectors'`: apart from its index, so that a workflow without them loads none.

export type { CallCounts, Connector, ConnectorInPrompt, Held, StandIn } from '../connector.ts';
export type { CacheOptions } from './expiring-cache.ts';
export type { FileClient, FileConnectorOptions, FolderEntry } from './file.ts';
export { fileConnector } from './file.ts';
export type { HttpAsk, HttpClient, HttpConnectorOptions, HttpReply, HttpRequest } from './http.ts';
export { httpConnector } from './http.ts';
export type { Call, CallPolicy, CallPort, ManagedConnector } from './managed-call.ts';
export { connector, inPrompt } from './managed-call.ts';
export { readHeld } from './read-held.ts';
export type { SqlClient, SqlConnectorOptions, SqlRow, SqlValue } from './sql.ts';
export { sqlConnector } from './sql.ts';
