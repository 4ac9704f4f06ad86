import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Serves a help desk of one page, whose attachments are for agents with its cookie alone; at `/strict` its policy
 * allows it no request.
 */
export interface HelpDeskWithFiles {
  readonly origin: string;
  /** An attachment that anybody may fetch, at another origin; `asked` counts who came. */
  readonly elsewhere: { readonly address: string; readonly asked: () => number };
  close(): Promise<void>;
}

/** Opens such a help desk. @param file the content of each attachment */
export async function openHelpDeskWithFiles(file: string): Promise<HelpDeskWithFiles> {
  let askedElsewhere = 0;
  const other = await serve((_, response) => {
    askedElsewhere += 1;
    response.end(file);
  });
  const elsewhere = `${other.origin('127.0.0.1')}/state.json`;
  const answers: Record<string, RequestListener> = {
    '/files/1': (_, response) => {
      response.setHeader('content-disposition', 'attachment; filename="state of shop.json"');
      response.end(file);
    },
    '/files/moved': (_, response) => response.writeHead(302, { location: '/files/1' }).end(),
    '/files/elsewhere.json': (_, response) =>
      response.writeHead(302, { location: elsewhere }).end(),
    '/files/endless.lic': (_, response) => {
      const more = (): void => {
        if (!response.destroyed && response.write('A'.repeat(65_536))) setImmediate(more);
      };
      response.on('drain', more);
      more();
    },
  };
  const desk = await serve((request, response) => {
    const path = request.url ?? '';
    if (path === '/' || path === '/strict') {
      response.setHeader('set-cookie', 'agent=7; HttpOnly; SameSite=Strict');
      if (path === '/strict') response.setHeader('content-security-policy', "default-src 'none'");
      response.setHeader('content-type', 'text/html');
      response.end('<!doctype html><title>Ticket</title><h1>Ticket</h1>');
      return;
    }
    const isAgent = request.headers.cookie === 'agent=7';
    const answer = isAgent ? answers[path] : undefined;
    if (answer === undefined) response.writeHead(isAgent ? 404 : 403).end('No');
    else answer(request, response);
  });
  return {
    origin: desk.origin('localhost'),
    elsewhere: { address: elsewhere, asked: () => askedElsewhere },
    close: async () => {
      await desk.close();
      await other.close();
    },
  };
}

async function serve(listener: RequestListener): Promise<{
  origin: (host: string) => string;
  close: () => Promise<void>;
}> {
  const server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    origin: (host) => `http://${host}:${String(port)}`,
    close: () =>
      new Promise((done) => {
        server.close(() => {
          done();
        });
        server.closeAllConnections();
      }),
  };
}
