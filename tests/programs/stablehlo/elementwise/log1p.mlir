// tolerance: 2e-05
// in: draw 1 0.25 9.5367431640625e-07 2097152
// out: sums 15.9496 10.929607 16.1052512 14.8509097 13.3156827 15.0404933 14.6340312 7.75888872 12.1425902 14.5449463 12.3890209 9.62110755 16.0785781 21.6235988 10.5598409 14.736572
// cost: 13 instructions, 830990 ticks
module {
  func.func public @main(%arg0: tensor<37x5xf32>) -> (tensor<37x5xf32>) {
    %0 = stablehlo.log_plus_one %arg0 : tensor<37x5xf32>
    return %0 : tensor<37x5xf32>
  }
}
