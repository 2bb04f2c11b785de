import { type ChannelCredentials, experimental, type ServerCredentials } from '@grpc/grpc-js';
import type { TlsFiles } from '../network/tls-files.js';

type CaListener = experimental.CaCertificateUpdateListener;
type IdentityListener = experimental.IdentityCertificateUpdateListener;

/**
 * Credentials of a gRPC port: connections that open after a change of the files use the new ones. Files with authorities
 * refuse every client without a certificate of theirs. The files must have an identity.
 */
export function createServerCredentials(files: TlsFiles): ServerCredentials {
  const provider = getProvider(files);
  return experimental.createCertificateProviderServerCredentials(
    // The declared parameters of grpc-js 1.14 are named in the wrong order; the identity is the first.
    provider,
    files.hasAuthorities ? provider : null,
    files.hasAuthorities,
  );
}

/** Credentials of a gRPC client: a connection that opens after a change of the files uses the new ones. */
export function createChannelCredentials(files: TlsFiles): ChannelCredentials {
  const provider = getProvider(files);
  return experimental.createCertificateProviderChannelCredentials(provider, files.hasIdentity ? provider : null);
}

/** One provider for each set of files, so that channels with the same files share their connections. */
const providers = new WeakMap<TlsFiles, FileCertificateProvider>();

function getProvider(files: TlsFiles): FileCertificateProvider {
  const existing = providers.get(files);
  if (existing !== undefined) return existing;
  const provider = new FileCertificateProvider(files);
  providers.set(files, provider);
  return provider;
}

/**
 * Gives checked files to grpc-js. Its own `FileWatcherCertificateProvider` drops the working certificate when a file
 * cannot be read, and accepts a key that does not fit.
 */
class FileCertificateProvider implements experimental.CertificateProvider {
  readonly #endings = new Map<CaListener | IdentityListener, () => void>();

  constructor(private readonly files: TlsFiles) {}

  addCaCertificateListener(listener: CaListener): void {
    this.#add(listener, () => {
      listener({ caCertificate: this.files.authorities });
    });
  }

  removeCaCertificateListener(listener: CaListener): void {
    this.#remove(listener);
  }

  addIdentityCertificateListener(listener: IdentityListener): void {
    this.#add(listener, () => {
      listener(this.files.identity);
    });
  }

  removeIdentityCertificateListener(listener: IdentityListener): void {
    this.#remove(listener);
  }

  #add(listener: CaListener | IdentityListener, publish: () => void): void {
    this.#remove(listener);
    this.#endings.set(listener, this.files.onChange(publish));
    // grpc-js registers its own watcher after this call, so the first certificate must come later.
    process.nextTick(publish);
  }

  #remove(listener: CaListener | IdentityListener): void {
    this.#endings.get(listener)?.();
    this.#endings.delete(listener);
  }
}
