//! The certificates of a target.

use redrive_http::{TlsIdentity, certificates_from_pem};
use redrive_run::{ClientCertificate, TargetTls};

use super::files::CERTIFICATE_BYTES_MAX;
use super::{TargetError, TargetSettings, files};

/// Reads the certificates of a target that is called at this address, and checks them.
pub(super) fn read(settings: &TargetSettings, address: &str) -> Result<TargetTls, TargetError> {
    let TargetSettings { ca_file, client_certificate_file, client_key_file, .. } = settings;
    let set = [
        ("ca_file", ca_file.is_some()),
        ("client_certificate_file", client_certificate_file.is_some()),
        ("client_key_file", client_key_file.is_some()),
    ];
    let is_plain = address.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("http:"));
    if let Some((setting, _)) = set.into_iter().find(|(_, is_set)| *is_set && is_plain) {
        return Err(TargetError::NotTls { setting });
    }
    let mut tls = TargetTls::default();
    if let Some(file) = ca_file {
        let pem = files::read("ca_file", file, CERTIFICATE_BYTES_MAX)?;
        certificates_from_pem(&pem).map_err(|_| TargetError::NoCertificates(file.clone()))?;
        tls.ca_certificates = Some(pem);
    }
    let client = files::read_client_certificate(client_certificate_file.as_deref(), client_key_file.as_deref())?;
    if let Some(ClientCertificate { certificate, key }) = &client {
        TlsIdentity::from_pem(certificate, key).map_err(TargetError::ClientCertificate)?;
    }
    tls.client_certificate = client;
    Ok(tls)
}
