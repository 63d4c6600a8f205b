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
    match (client_certificate_file, client_key_file) {
        (None, None) => {}
        (Some(certificate), Some(key)) => {
            let certificate = files::read("client_certificate_file", certificate, CERTIFICATE_BYTES_MAX)?;
            let key = files::read("client_key_file", key, CERTIFICATE_BYTES_MAX)?;
            TlsIdentity::from_pem(&certificate, &key).map_err(TargetError::ClientCertificate)?;
            tls.client_certificate = Some(ClientCertificate { certificate, key });
        }
        (Some(_), None) => {
            return Err(TargetError::Needs { setting: "client_certificate_file", needed: "client_key_file" });
        }
        (None, Some(_)) => {
            return Err(TargetError::Needs { setting: "client_key_file", needed: "client_certificate_file" });
        }
    }
    Ok(tls)
}
