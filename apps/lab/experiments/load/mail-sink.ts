import net, { type AddressInfo } from 'node:net';

/**
 * A mail server that takes everything and keeps the Message-IDs.
 * @param isMute mails it takes without an answer: the connection breaks instead
 */
export async function openMailSink(isMute: (id: string) => boolean) {
  const ids: string[] = [];
  const server = net.createServer((socket) => {
    let [text, inData] = ['', false];
    socket.on('error', () => {});
    socket.write('220 sink\r\n');
    socket.on('data', (chunk) => {
      text += chunk;
      for (;;) {
        const end = inData ? text.indexOf('\r\n.\r\n') : text.indexOf('\r\n');
        if (end < 0) return;
        const [line, rest] = [text.slice(0, end), text.slice(end + (inData ? 5 : 2))];
        text = rest;
        if (inData) {
          const id = /^message-id: *(\S+)/im.exec(line)?.[1] ?? '';
          ids.push(id);
          inData = false;
          if (isMute(id)) return socket.destroy();
          socket.write('250 taken\r\n');
        } else if (/^data/i.test(line)) {
          inData = true;
          socket.write('354 go on\r\n');
        } else if (/^quit/i.test(line)) socket.end('221 bye\r\n');
        else socket.write('250 fine\r\n');
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    ids,
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.close(),
  };
}
