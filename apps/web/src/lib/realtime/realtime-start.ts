import { type ClientEvents, realtimePath, type ServerEvents } from '@nearhand/contract/realtime';
import { io, type Socket } from 'socket.io-client';
import { queryClient } from '../api/query.ts';
import { serverOrigin } from '../api/server-address.ts';
import { refetchOnSignals } from '../api/signal-keys.ts';
import { onSignal } from './realtime.ts';
import { type Connect, keepLink } from './realtime-link.ts';

const connectWithinMs = 10_000;

/** One Socket.IO connection without automatic reconnection: the link decides when to retry, with a current token. */
const connect: Connect = (events) => {
  const socket: Socket<ServerEvents, ClientEvents> = io(serverOrigin(), {
    path: realtimePath,
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    timeout: connectWithinMs,
    auth: (send) => {
      events.token().then(
        (token) => (token === null ? events.over('session/required') : send({ token })),
        () => events.over(null),
      );
    },
  });
  socket.on('connect', events.open);
  socket.on('signals', events.signals);
  socket.on('connect_error', (failure) =>
    events.over(failure.message.startsWith('session/') ? failure.message : null),
  );
  socket.on('disconnect', () => events.over(null));
  return {
    close: () => {
      socket.off();
      socket.disconnect();
    },
    send: (event, conversationId) => {
      // Socket.IO would buffer events while closed and send them late.
      if (!socket.connected) return;
      if (event === 'looking') socket.emit('looking', conversationId);
      else if (conversationId !== null) socket.volatile.emit('typing', conversationId);
    },
  };
};

onSignal(refetchOnSignals(queryClient));
keepLink(connect);
