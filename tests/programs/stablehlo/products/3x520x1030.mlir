// tolerance: 0.02
// in: draw 1 -1 0.0078125 257
// in: draw 2 -1 0.0078125 257
// out: sums -267.470053 -208.730888 200.571182 181.437073 49.1572948 192.457666 -1.14929795 -102.791061 -50.6891775 -170.858385 306.991566 -283.521481 -35.4448071 68.2176743 30.0500469 -27.0310335
// cost: 67 instructions, 1642633 ticks
module {
  func.func public @main(%arg0: tensor<3x520xbf16>, %arg1: tensor<520x1030xbf16>) -> (tensor<3x1030xbf16>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x520xbf16>, tensor<520x1030xbf16>) -> tensor<3x1030xbf16>
    return %0 : tensor<3x1030xbf16>
  }
}
