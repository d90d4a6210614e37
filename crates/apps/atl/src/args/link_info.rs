//! Arguments of `atl link-info`.

use std::path::PathBuf;

use atl_device::adapters::Adapter;
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueHint};

const AFTER: &str = "\
Examples:
  iw event | atl link-info iw --into /run/user/1000/link &
  while sleep 1; do mmcli -m any --location-get -J; done | atl link-info modem
  while sleep 1; do grpcurl -plaintext -d '{\"get_status\":{}}' \\
    192.168.100.1:9200 SpaceX.API.Device.Device/Handle; done |
    atl link-info starlink --into /run/user/1000/link &
  atl send film.mkv --link-info file:/run/user/1000/link
  nc 127.0.0.1 8103 | atl link-info wfb --into /run/user/1000/link &
  nc 127.0.0.1 8104 | atl link-info lines --into /run/user/1000/link &

docs/link-information.md says which part of p_w and d_w each of them bounds.";

/// Arguments of `atl link-info`.
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct LinkInfo {
    /// The tool whose output comes on standard input.
    #[arg(value_name = "TOOL", value_parser = PossibleValuesParser::new(Adapter::NAMES))]
    pub tool: String,
    /// Keep the latest information in this file, for `--link-info file:PATH`, instead of printing
    /// each.
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath)]
    pub into: Option<PathBuf>,
}
