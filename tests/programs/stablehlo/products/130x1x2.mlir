// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums -0.642781185 0.824664796 -2.61287508 1.95479953 0.20569997 -1.50926458 2.30533812 -1.93037658 0.591282961 -2.03700986 0.192456709 0.0774363297 0.944831972 -2.45953939 0.870962914 0.00637386658
// cost: 8 instructions, 649575 ticks
module {
  func.func public @main(%arg0: tensor<130x1xf32>, %arg1: tensor<1x2xf32>) -> (tensor<130x2xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<130x1xf32>, tensor<1x2xf32>) -> tensor<130x2xf32>
    return %0 : tensor<130x2xf32>
  }
}
