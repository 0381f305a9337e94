import path from 'node:path';
import { openDatabase } from '../src/platform/database/database-server.ts';
import { openPool } from '../src/platform/db.ts';
import { makeManyMessages } from '../src/talk/messages/messages.fixtures.ts';

/** Writes the messages of a long conversation: `long-conversation.ts <conversation> <place>`. */
const [conversationId = '', upTo = ''] = process.argv.slice(2);
const server = await openDatabase({
  dataDir: path.resolve(process.env.DATA_DIR ?? '', 'postgres'),
  log: { info: () => {}, warn: () => {} },
  join: true,
});
const database = openPool(server.url, 1, () => {});
await makeManyMessages(database.db, conversationId, Number(upTo));
const written = await database.db
  .selectFrom('messages')
  .select('body')
  .where('conversationId', '=', conversationId)
  .orderBy('seq')
  .execute();
process.stdout.write(written.map(({ body }) => body).join('\n'));
await database.close();
await server.stop();
