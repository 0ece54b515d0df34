// tolerance: 0.0001
// in: 1
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums -7.29465085 -8.79919776 40.7270132 -11.7696397 -18.5215833 8.20340055 -15.6552097 -15.7971932 3.38169552 -5.260282 18.2336755 -6.48764343 -17.6030775 2.80336104 1.3901418 -2.25855495
// out: sums -2.44191542 6.40187702 -2.5791881 -3.04161562 2.76632145 -2.5419923 1.78149741 -7.34607697 -6.50105477 1.26208061 -0.972173922 -2.32645188 1.57598026 -2.73125713 2.12578141 -1.82488469
// cost: 48 instructions, 1519899 ticks
module {
  func.func public @main(%arg0: tensor<i1>, %arg1: tensor<20x20xf32>, %arg2: tensor<20x20xf32>) -> (tensor<20x20xf32>, tensor<20x20xf32>) {
    %0 = stablehlo.convert %arg0 : (tensor<i1>) -> tensor<i32>
    %1:2 = "stablehlo.case"(%0) ({
      %2 = stablehlo.subtract %arg1, %arg2 : tensor<20x20xf32>
      stablehlo.return %2, %arg2 : tensor<20x20xf32>, tensor<20x20xf32>
    }, {
      %2 = stablehlo.dot_general %arg1, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<20x20xf32>, tensor<20x20xf32>) -> tensor<20x20xf32>
      stablehlo.return %2, %arg1 : tensor<20x20xf32>, tensor<20x20xf32>
    }) : (tensor<i32>) -> (tensor<20x20xf32>, tensor<20x20xf32>)
    return %1#0, %1#1 : tensor<20x20xf32>, tensor<20x20xf32>
  }
}
