// What every provider does the same: one object, one page, all pages of a list.
import { type ApiAnswer, ApiClient, type ApiClientOptions, type ApiRequest } from './api-client.ts';
import type { CallOptions, Page, PageRequest } from './git-provider.ts';
import { type JsonRecord, recordOf } from './json-fields.ts';
import type { Paging } from './paging.ts';

interface ProviderApiOptions extends ApiClientOptions {
  readonly paging: Paging;
}

interface ListRequest<T> extends ApiRequest {
  readonly page?: PageRequest | undefined;
  readonly item: (record: JsonRecord) => T;
}

const maxPages = 10;

export class ProviderApi {
  readonly #client: ApiClient;
  readonly #paging: Paging;

  constructor({ paging, ...options }: ProviderApiOptions) {
    this.#client = new ApiClient(options);
    this.#paging = paging;
  }

  call(request: ApiRequest, options?: CallOptions): Promise<ApiAnswer> {
    return this.#client.call(request, options);
  }

  async record(request: ApiRequest, options?: CallOptions): Promise<JsonRecord> {
    return recordOf((await this.call(request, options)).body, request.path);
  }

  async page<T>({ page = {}, item, ...request }: ListRequest<T>, options?: CallOptions): Promise<Page<T>> {
    const query = { ...request.query, ...this.#paging.query(page) };
    const answer = await this.call({ ...request, query }, options);
    const { records, next } = this.#paging.read(answer, page, request.path);
    return { items: records.map(item), ...(next ? { nextCursor: next } : {}) };
  }

  /** At most 1,000. */
  async all<T>(request: Omit<ListRequest<T>, 'page'>, options?: CallOptions): Promise<T[]> {
    const found: T[] = [];
    let cursor: string | undefined;
    for (let count = 0; count < maxPages; count++) {
      const page: Page<T> = await this.page({ ...request, page: { cursor, limit: 100 } }, options);
      found.push(...page.items);
      cursor = page.nextCursor;
      if (cursor === undefined) break;
    }
    return found;
  }
}
