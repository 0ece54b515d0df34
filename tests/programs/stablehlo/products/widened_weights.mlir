// tolerance: 0.02
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 0.0078125 257
// out: sums 3.50290627 47.2359387 -1.7538752 63.1400781 0.504923221 -22.1469329 -0.433888818 -24.6624538 -42.884593 11.7099096 9.78426728 10.7063365 24.6039891 -4.02834677 -10.6575041 -8.70283268
// cost: 6 instructions, 683528 ticks
module {
  func.func public @main(%arg0: tensor<20x64xf32>, %arg1: tensor<64x48xbf16>) -> (tensor<20x48xf32>) {
    %0 = stablehlo.convert %arg1 : (tensor<64x48xbf16>) -> tensor<64x48xf32>
    %1 = stablehlo.dot_general %arg0, %0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<20x64xf32>, tensor<64x48xf32>) -> tensor<20x48xf32>
    return %1 : tensor<20x48xf32>
  }
}
