// tolerance: 0.01
// in: draw 1 -1 0.0078125 257
// in: draw 1 -20 1 41
// out: sums 9.52793884 -37.4242096 -128.694977 -17.8853302 -80.7392426 108.218079 302.272491 -193.481155 -159.609131 340.848053 50.3304749 46.5048523 17.045578 -105.416336 -66.154129 -133.949646
// cost: 5 instructions, 595915 ticks
module {
  func.func public @main(%arg0: tensor<40x20xbf16>, %arg1: tensor<40x20xi8>) -> (tensor<40x20xbf16>) {
    %0 = stablehlo.convert %arg0 : (tensor<40x20xbf16>) -> tensor<40x20xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<40x20xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<40x20xf32>
    %3 = stablehlo.convert %arg1 : (tensor<40x20xi8>) -> tensor<40x20xf32>
    %4 = stablehlo.add %2, %3 : tensor<40x20xf32>
    %5 = stablehlo.convert %4 : (tensor<40x20xf32>) -> tensor<40x20xbf16>
    return %5 : tensor<40x20xbf16>
  }
}
