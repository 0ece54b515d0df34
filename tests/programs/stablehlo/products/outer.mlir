// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 1.71017774 3.86093755 -4.21228899 -0.293404861 5.82223731 -1.79444645 1.46095634 -6.75059712 4.03112025 -4.96821253 -1.46014293 -7.67675176 -5.77849299 -4.7530871 4.10406592 7.14711286
// cost: 5 instructions, 632685 ticks
module {
  func.func public @main(%arg0: tensor<40xf32>, %arg1: tensor<50xf32>) -> (tensor<40x50xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [] x [], precision = [DEFAULT, DEFAULT] : (tensor<40xf32>, tensor<50xf32>) -> tensor<40x50xf32>
    return %0 : tensor<40x50xf32>
  }
}
