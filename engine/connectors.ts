// The connectors of the engine, `import { … } from 'agentgauge/engine/connectors'`: apart from its index, so that a workflow without them loads none.

// Whoever uses a connector uses the engine too: so what both need stands in the engine's one file when the two are put together.
import './index.ts';

export type { CallCounts, Connector, ConnectorInPrompt, Held, StandIn } from './connector.ts';
export type { CallPolicy } from './connectors/call-policy.ts';
export type { CacheOptions } from './connectors/expiring-cache.ts';
export type { FileClient, FileConnectorOptions, FolderEntry } from './connectors/file.ts';
export { fileConnector } from './connectors/file.ts';
export type { HttpAsk, HttpClient, HttpConnectorOptions, HttpReply, HttpRequest } from './connectors/http.ts';
export { httpConnector } from './connectors/http.ts';
export type { Call, ManagedConnector } from './connectors/make-connector.ts';
export { connector, inPrompt } from './connectors/make-connector.ts';
export type { CallPort } from './connectors/managed-call.ts';
export { readHeld } from './connectors/read-held.ts';
export type { SqlClient, SqlConnectorOptions, SqlRow, SqlValue } from './connectors/sql.ts';
export { sqlConnector } from './connectors/sql.ts';
