// tolerance: 0.02
// in: draw 1 -1 0.0078125 257
// in: draw 2 -1 0.0078125 257
// out: sums 299.841743 240.94605 464.898802 384.915156 -208.504171 513.831525 -732.881604 -389.100048 111.785989 -696.745898 389.559957 -85.8461826 124.607597 -843.464772 -43.6469333 -227.642598
// cost: 44 instructions, 1656263 ticks
module {
  func.func public @main(%arg0: tensor<700x130xbf16>, %arg1: tensor<130x130xbf16>) -> (tensor<700x130xbf16>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<700x130xbf16>, tensor<130x130xbf16>) -> tensor<700x130xbf16>
    return %0 : tensor<700x130xbf16>
  }
}
