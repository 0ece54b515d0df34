// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 181.660128 193.72145 162.907845 169.339138 173.043018 197.041238 174.175126 164.600066 196.606329 141.985588 172.509771 170.661445 163.911575 164.585471 189.390234 169.499976
// out: sums 10.2077448 20.6725189 -9.41033919 -18.6593577 1.77123872 16.564549 12.821418 -27.57861 0.0259566009 6.26534216 5.37532687 3.39818288 8.22802086 23.661848 30.736238 9.23256811
// cost: 14 instructions, 760033 ticks
module {
  func.func public @main(%arg0: tensor<140x40xf32>, %arg1: tensor<140x40xf32>) -> (tensor<140x40xf32>, tensor<140x40xf32>) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<140x40xf32>
    %1 = stablehlo.multiply %0, %arg0 : tensor<140x40xf32>
    %2 = stablehlo.add %arg0, %arg1 : tensor<140x40xf32>
    %3 = stablehlo.subtract %2, %arg1 : tensor<140x40xf32>
    return %1, %3 : tensor<140x40xf32>, tensor<140x40xf32>
  }
}
