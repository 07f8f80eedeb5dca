# SPDX-License-Identifier: MIT OR Apache-2.0
#
# The tools that Lichen needs, for Nix: `nix develop`, then `./lichen run blink`. The release of
# nixpkgs is one that still has the formatter for C whose version the project is formatted with.
{
  description = "Tools for building, running and testing Lichen";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-25.05";

  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      forEach = make: nixpkgs.lib.genAttrs systems (system: make nixpkgs.legacyPackages.${system});
      # Nixpkgs builds its GDB for all targets, but does not give it Debian's name.
      gdb = pkgs: pkgs.writeShellScriptBin "gdb-multiarch" ''exec ${pkgs.gdb}/bin/gdb "$@"'';
      avr = pkgs: pkgs.pkgsCross.avr.buildPackages;
    in
    {
      devShells = forEach (pkgs: {
        default = pkgs.mkShell {
          packages = [
            pkgs.gcc-arm-embedded
            (avr pkgs).gcc
            (avr pkgs).gdb
            (gdb pkgs)
            pkgs.cmake
            pkgs.ninja
            pkgs.cargo
            pkgs.rustc
            pkgs.rustfmt
            pkgs.clippy
            pkgs.clang-tools_14
            pkgs.shellcheck
            pkgs.python3
            pkgs.simavr
            pkgs.wireshark-cli
          ] ++ pkgs.lib.optional pkgs.stdenv.hostPlatform.isLinux pkgs.chromium;
        };
      });
    };
}
